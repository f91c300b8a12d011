//! The words of pages for what operations refuse. Operations answer programs; a page tells a person the same.

/// The sentence for a refusal that depends on who the person is.
pub(super) const MAY_NOT: &str = "Your role here does not allow this.";

/// The sentence for a value that has no sentence of its own.
pub(super) const UNUSABLE: &str = "This cannot be used.";

/// The sentence for any other refusal.
pub(super) const FAILED: &str = "Guildhall could not do this. Go back, and try again.";

/// The beginnings of messages of operations, each with the sentence of pages.
#[rustfmt::skip]
const SENTENCES: &[(&str, &str)] = &[
    ("The request needs exactly one valid Host", "The name of this site does not have its usual form in the address of the page. Correct the address, and open it again."),
    // Who may
    ("Must have admin rights", MAY_NOT),
    ("Must have push access", "Only people who can write to the repository see this."),
    ("Only the invited person", "Only the person who is invited can accept."),
    ("Only the user can", "Only the person themselves can change this."),
    ("You must be a member of the organization", "Only members of the organization see this."),
    ("You must be a member of the team to create", "Only people on the team itself can write a private post."),
    ("You must be a site administrator", "Only site administrators can do this."),
    ("You must be a team maintainer or an organization owner to pin", "Only maintainers of the team and owners can pin a post."),
    ("You must be an admin to create an invitation", "Only owners can invite people."),
    ("You must be an administrator of the project", "Only people with the level Admin on the project can change this."),
    ("You must be an organization owner or team maintainer to add", "Only maintainers of the team and owners can add people."),
    ("You must be an organization owner or team maintainer to decide", "Only maintainers of the team and owners can answer this."),
    ("You must be an organization owner or team maintainer to remove", "Only maintainers of the team and owners can remove people."),
    ("You must be an organization owner to delete a team", "Only owners can delete a team that has child teams."),
    ("You must be an organization owner, or a maintainer of the old", "Only owners, and maintainers of both the old and the new parent, can move a team."),
    ("You must be an organization owner, or a member", "Only owners can create repositories here."),
    ("You must be the author", "Only the author, maintainers of the team and owners can do this."),
    ("You must be the person who reacted", "Only the person who reacted, maintainers of the team and owners can do this."),
    ("You cannot remove repositories from a security manager team", "A team of security managers keeps access to all repositories."),
    // Names and texts
    ("Name must be unique", "Another team has this name already. Choose a different one."),
    ("name already exists", "Another repository has this name already. Choose a different one."),
    ("name must be 1 to 100", "Use only letters a to z, digits, dots, underscores and dashes, and at most 100 of them."),
    ("name is reserved", "No repository can have this name. Choose a different one."),
    ("Name cannot be blank", "Enter a name."),
    ("Name contains characters", "The name has characters that cannot be shown. Leave them out."),
    ("Title cannot be blank", "Enter a title."),
    ("Title contains a line break", "Enter the title on one line."),
    ("Body cannot be blank", "Enter a text."),
    ("A login must have", "Use only letters a to z, digits, dots, underscores and dashes, and at most 100 of them."),
    ("Only a site administrator makes tokens", "Only site administrators make tokens that may do this."),
    // Webhooks
    ("The URL you've entered is not valid", "Enter a whole address, such as https://example.com/events."),
    ("Hook already exists", "Another webhook sends to this address already."),
    ("The \"", "Too many webhooks get the same events. Delete one first."),
    ("secret cannot contain control characters", "The secret has characters that cannot be shown. Leave them out."),
    // Teams and people
    ("A team cannot be nested under itself", "A team cannot be inside itself or inside one of its own child teams."),
    ("A team that is synchronized", "A team whose people come from an identity provider cannot have child teams."),
    ("Parent team is not", "There is no such team here that you can see."),
    ("Secret teams cannot be nested", "A secret team cannot be inside another team, or have child teams."),
    ("Invitee is already a part", "They are a member here already."),
    ("A user with this email addresss is already", "This address belongs to someone who is a member here already."),
    ("Teams must belong", "One of these teams is not in this organization."),
    ("Invalid maintainers", "Only members of the organization can be maintainers."),
    ("A billing manager cannot be on teams", "A billing manager cannot be on teams."),
    ("This person is invited as a billing manager", "They are invited as a billing manager, who cannot be on teams. Invite them as a member first."),
    ("No person has this login", "No person has this login."),
    ("This account is suspended.", "This account is suspended. It cannot be added until a site administrator unsuspends it."),
    ("Your request was declined.", "Your request was declined, and it is too early to ask again."),
    ("The identity provider of", "Their organization’s identity provider has deactivated this account. It is activated there."),
    ("This is the last active owner", "They are the last owner. Make another member an owner first."),
    ("You are already a member of this team", "You are on this team already."),
    ("Repository owner cannot be a collaborator", "It belongs to them: they have all access already."),
    ("Projects are disabled", "Projects are switched off in this organization."),
    ("Only the first 1000 search results", "Only the first 1,000 results can be shown."),
];

/// A message of an operation in words for a person; the other sentence for a message that is for programs.
pub(super) fn sentence(message: &str, otherwise: &'static str) -> String {
    let known = SENTENCES.iter().find(|(beginning, _)| message.starts_with(beginning));
    let longest = message.split_once(" is too long (maximum is ").and_then(|(_, rest)| rest.split_once(' '));
    match (known, longest) {
        (Some((_, sentence)), _) => (*sentence).to_owned(),
        (_, Some((most, _))) => format!("Use at most {most} characters."),
        _ if is_for_people(message) => message.to_owned(),
        _ => otherwise.to_owned(),
    }
}

/// True if a message is a whole sentence without a path, a method or a parameter of the API.
fn is_for_people(message: &str) -> bool {
    let is_of_api = |word: &str| {
        matches!(word, "GET" | "POST" | "PUT" | "PATCH" | "DELETE")
            || word.contains(['`', '{', '}'])
            || word.starts_with(|first: char| first.is_ascii_lowercase()) && word.contains('_')
    };
    !message.starts_with("Invalid request.") && message.ends_with('.') && !message.split_whitespace().any(is_of_api)
}

#[cfg(test)]
mod tests {
    use super::{SENTENCES, UNUSABLE, is_for_people, sentence};

    #[test]
    fn what_is_for_programs_is_said_to_people() {
        for (message, said) in [
            ("Must have admin rights to Repository.", "Your role here does not allow this."),
            ("Name must be unique for this org", "Another team has this name already. Choose a different one."),
            ("Description is too long (maximum is 1024 characters)", "Use at most 1024 characters."),
            ("Validation Failed", UNUSABLE),
            ("Invalid request.\n\nFor 'content', \"evil\" is not a member.", UNUSABLE),
            ("Create the person first: POST /admin/users.", UNUSABLE),
            ("team_id is not the ID of a team.", UNUSABLE),
            ("Omit team_ids.", UNUSABLE),
            ("It must not be `.` or `..`.", UNUSABLE),
            ("", UNUSABLE),
            ("You have 50 tokens. Revoke one first.", "You have 50 tokens. Revoke one first."),
            ("The login Ada_Acme is in use.", "The login Ada_Acme is in use."),
        ] {
            assert_eq!(sentence(message, UNUSABLE), said, "{message}");
        }
    }

    #[test]
    fn the_sentences_are_for_people() {
        for (beginning, sentence) in SENTENCES {
            assert!(is_for_people(sentence), "{sentence}");
            let before = SENTENCES.iter().take_while(|(other, _)| other != beginning);
            assert_eq!(before.filter(|(other, _)| beginning.starts_with(other)).count(), 0, "{beginning}");
        }
    }
}
