-- Requests for wrk, read from a list that scripts/bench writes.
--
-- wrk ... -s load.lua URL -- METHOD PREFIX LIST ORDER BODY [PEOPLE]
--   LIST    one request a line: path, token and entity tag (may be empty), with tabs between
--   PREFIX  goes before each path; the bare server reads the size of its body from it
--   ORDER   "random" until wrk's time is over, or "once": each line once, then stop
--   BODY    what is sent with each request, JSON or nothing
--   PEOPLE  a file of logins; a random one goes to the end of each path, as in PUT of a membership
-- At the end it prints: RESULT requests microseconds p50 p99 errors
local ffi = require("ffi")
ffi.cdef [[
  typedef struct { long seconds; long micros; } clock_now;
  int gettimeofday(clock_now *now, void *zone);
]]

local heads, tails, people = {}, {}, nil
local once, turn = false, 0
local worker

local function micros()
  local now = ffi.new("clock_now")
  ffi.C.gettimeofday(now, nil)
  return tonumber(now.seconds) * 1e6 + tonumber(now.micros)
end

local function lines_of(file)
  local found = {}
  for line in io.lines(file) do found[#found + 1] = line end
  return found
end

-- All text of a request is made before the load begins, so that wrk is not the one who is measured.
local function add(line, method, prefix, body)
  local path, token, tag = line:match("^([^\t]*)\t([^\t]*)\t([^\t]*)$")
  local tail = " HTTP/1.1\r\nHost: " .. wrk.headers["Host"] .. "\r\nUser-Agent: wrk\r\nAuthorization: token " .. token .. "\r\n"
  if tag ~= "" then tail = tail .. "If-None-Match: " .. tag .. "\r\n" end
  if body ~= "" then tail = tail .. "Content-Type: application/json\r\nContent-Length: " .. #body .. "\r\n" end
  heads[#heads + 1] = method .. " " .. prefix .. path
  tails[#tails + 1] = tail .. "\r\n" .. body
end

function setup(thread)
  worker = thread
end

function init(args)
  local method, prefix, list, order, body, people_file = args[1], args[2], args[3], args[4], args[5], args[6]
  for _, line in ipairs(lines_of(list)) do add(line, method, prefix, body) end
  once = order == "once"
  if people_file then
    people = lines_of(people_file)
  else
    for i = 1, #heads do heads[i] = heads[i] .. tails[i] end
  end
  math.randomseed(micros() % 1e9)
end

function request()
  if once then
    turn = turn + 1
    if turn == 1 then began = micros() end
    if turn == #heads then
      elapsed = micros() - began
      wrk.thread:stop()
    end
    return heads[math.min(turn, #heads)]
  end
  local i = math.random(#heads)
  if people then return heads[i] .. people[math.random(#people)] .. tails[i] end
  return heads[i]
end

function done(summary, latency)
  local failed = summary.errors
  local errors = failed.connect + failed.read + failed.write + failed.status + failed.timeout
  -- wrk waits for its whole time even when all was sent long before.
  local duration = worker:get("elapsed") or summary.duration
  io.write(string.format("RESULT %d %d %d %d %d\n", summary.requests, duration,
    latency:percentile(50), latency:percentile(99), errors))
end
