-- The applications that organizations let in (decision 81).
ALTER TABLE orgs ADD COLUMN applications_need_approval BOOLEAN NOT NULL DEFAULT TRUE;

-- What the owners of an organization were asked about an application, and what they have answered.
CREATE TABLE application_approvals (
    org_id BIGINT NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
    application_id BIGINT NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
    state TEXT NOT NULL CHECK (state IN ('asked', 'approved', 'refused')),
    asked_by BIGINT REFERENCES users (id) ON DELETE SET NULL,
    changed_at BIGINT NOT NULL,
    PRIMARY KEY (org_id, application_id)
) {keyed};
CREATE INDEX application_approvals_application ON application_approvals (application_id);
CREATE INDEX application_approvals_asked_by ON application_approvals (asked_by) WHERE asked_by IS NOT NULL;

-- The applications that each organization lets in. The tables have no aliases, so that tests find their names in query
-- plans.
CREATE VIEW applications_let_in AS
    SELECT orgs.id AS org_id, applications.id AS application_id
    FROM orgs CROSS JOIN applications
    LEFT JOIN application_approvals ON application_approvals.org_id = orgs.id
        AND application_approvals.application_id = applications.id
    WHERE CASE application_approvals.state
          WHEN 'approved' THEN TRUE
          WHEN 'refused' THEN FALSE
          ELSE applications.trusted = TRUE OR applications.org_id = orgs.id OR orgs.applications_need_approval = FALSE
          END = TRUE;
