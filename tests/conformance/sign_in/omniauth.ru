# A small application on Rack to which people of the team core-team sign in with the strategy github of OmniAuth.
#
# Reads GUILDHALL_BASE, GUILDHALL_ORG, CLIENT_ID and CLIENT_SECRET.
require "json"
require "omniauth-github"

base = ENV.fetch("GUILDHALL_BASE")
use Rack::Session::Cookie, secret: "0123456789abcdef" * 4
use OmniAuth::Builder do
  provider :github, ENV.fetch("CLIENT_ID"), ENV.fetch("CLIENT_SECRET"), scope: "read:org,user:email", client_options: {
    site: "#{base}/api/v3", authorize_url: "#{base}/login/oauth/authorize", token_url: "#{base}/login/oauth/access_token"
  }
end

run(lambda do |env|
  page = lambda { |status, text| [status, { "content-type" => "text/html" }, [text]] }
  case env["PATH_INFO"]
  when "/auth/github/callback"
    who = env["omniauth.auth"]
    teams = env["omniauth.strategy"].access_token.get("user/teams").parsed
    on_team = teams.any? { |team| team.values_at("slug") + [team["organization"]["login"]] == ["core-team", ENV["GUILDHALL_ORG"]] }
    next page[403, "You are not on the team."] unless on_team
    page[200, "Hello #{who.info.nickname}, #{who.info.email}, with the ID #{who.uid}"]
  when "/auth/failure" then page[401, "Failed: #{Rack::Request.new(env).params["message"]}"]
  else
    token = Rack::Protection::AuthenticityToken.token(env["rack.session"])
    button = "<input type=hidden name=authenticity_token value='#{token}'><button>Go</button>"
    page[200, "<form method=post action=/auth/github>#{button}</form>"]
  end
end)
