-- The ends of memberships of teams (decision 64). A row that is held belongs to an owner of the organization, and ends when
-- its person is no owner any more. The e-mail that announces the end is due at `end_mail_at`, if there is one.
ALTER TABLE team_members ADD COLUMN expires_at BIGINT;
ALTER TABLE team_members ADD COLUMN end_held BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE team_members ADD COLUMN end_mail_at BIGINT;
CREATE INDEX team_members_ends ON team_members (expires_at) WHERE expires_at IS NOT NULL AND end_held = FALSE;
CREATE INDEX team_members_end_mails ON team_members (end_mail_at) WHERE end_mail_at IS NOT NULL;
ALTER TABLE invitation_teams ADD COLUMN expires_at BIGINT;
