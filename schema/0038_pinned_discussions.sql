-- Whether a discussion is among the first on the page of its board. A board has few of them.
ALTER TABLE discussions ADD COLUMN pinned BOOLEAN NOT NULL DEFAULT FALSE;
CREATE INDEX discussions_pinned ON discussions (team_id, number) WHERE pinned = TRUE;
