-- What clients set of a repository and nothing here acts on, as JSON: only what differs from the defaults, and null
-- where nothing does. Nothing is ever looked up by it.
ALTER TABLE repos ADD COLUMN settings TEXT;
