-- Who commented in a discussion, and whether a person did. Without it, that reads every comment of a long discussion, once
-- for each person who is notified.
CREATE INDEX comments_of_people ON comments (discussion_id, author_id);
