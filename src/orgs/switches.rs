//! The switches of an organization that clients write and read and that have no effect here (decision 52).

use crate::operation::settings::settings;

settings! {
    /// Switches of an organization.
    Switches {
        /// True if members may create internal repositories, of which there are none.
        members_can_create_internal_repositories: bool = false;
        /// True if members may publish pages.
        members_can_create_pages: bool = true;
        /// True if members may publish public pages.
        members_can_create_public_pages: bool = true;
        /// True if members may publish private pages.
        members_can_create_private_pages: bool = true;
        /// True if commits made in the web interface must be signed off.
        web_commit_signoff_required: bool = false;
        /// True if new repositories have advanced security.
        advanced_security_enabled_for_new_repositories: bool = false;
        /// True if new repositories have Dependabot alerts.
        dependabot_alerts_enabled_for_new_repositories: bool = false;
        /// True if new repositories have Dependabot security updates.
        dependabot_security_updates_enabled_for_new_repositories: bool = false;
        /// True if new repositories have the dependency graph.
        dependency_graph_enabled_for_new_repositories: bool = false;
        /// True if new repositories have secret scanning.
        secret_scanning_enabled_for_new_repositories: bool = false;
        /// True if new repositories have push protection of secret scanning.
        secret_scanning_push_protection_enabled_for_new_repositories: bool = false;
    }
}
