-- Events of one change reach a webhook in the order in which they were recorded, also if they have different order keys.
-- The change is the request that made it; null for e-mails, and for deliveries that an earlier release queued.
ALTER TABLE deliveries ADD COLUMN change_id TEXT;
CREATE INDEX deliveries_of_change ON deliveries (kind, target_id, change_id, id) WHERE state = 'waiting';
