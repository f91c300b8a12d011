// An unmodified hub4j (org.kohsuke:github-api) works through the story of teams. Reads the variables of world.py.
//
// The library changes a team by sending one field, without its name: the server needs compat.partial_team_update.

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.StreamSupport;
import okhttp3.Cache;
import okhttp3.OkHttpClient;
import org.kohsuke.github.GHDiscussion;
import org.kohsuke.github.GHFileNotFoundException;
import org.kohsuke.github.GHOrganization;
import org.kohsuke.github.GHTeam;
import org.kohsuke.github.GHTeamBuilder;
import org.kohsuke.github.GHUser;
import org.kohsuke.github.GitHub;
import org.kohsuke.github.GitHubAbuseLimitHandler;
import org.kohsuke.github.GitHubBuilder;
import org.kohsuke.github.HttpException;
import org.kohsuke.github.extras.okhttp3.OkHttpGitHubConnector;

public class Story {
    interface Part {
        void run() throws Exception;
    }

    static boolean failed = false;
    static GitHub owner;
    static GHOrganization org;

    static GitHubBuilder builder(String token) {
        // Otherwise the library waits as long as Retry-After says.
        return new GitHubBuilder().withEndpoint(System.getenv("GUILDHALL_URL")).withOAuthToken(token)
            .withAbuseLimitHandler(GitHubAbuseLimitHandler.FAIL);
    }

    static GitHub connect(String token) throws Exception {
        return builder(token).build();
    }

    static GHOrganization seenBy(String variable) throws Exception {
        return connect(System.getenv(variable)).getOrganization(System.getenv("GUILDHALL_ORG"));
    }

    static void equal(Object found, Object wanted) {
        if (!Objects.equals(found, wanted)) throw new AssertionError("found " + found + ", wanted " + wanted);
    }

    static Exception refused(int status, Part part) throws Exception {
        try {
            part.run();
        } catch (HttpException error) {
            equal(error.getResponseCode(), status);
            return error;
        } catch (GHFileNotFoundException error) {
            equal(404, status);
            return error;
        }
        throw new AssertionError("accepted, wanted " + status);
    }

    static GHTeamBuilder closed(String name) {
        return org.createTeam(name).privacy(GHTeam.Privacy.CLOSED);
    }

    static List<String> logins(Iterable<GHUser> people) {
        return StreamSupport.stream(people.spliterator(), false).map(GHUser::getLogin).sorted().toList();
    }

    static List<String> slugs(Iterable<GHTeam> teams) {
        return StreamSupport.stream(teams.spliterator(), false).map(GHTeam::getSlug).toList();
    }

    static void start() throws Exception {
        equal(owner.isCredentialValid(), true);
        equal(owner.getMyself().getLogin(), "olivia");
        equal(owner.getMyOrganizations().keySet().toString(), "[acme]");
        equal(logins(org.listMembers()), List.of("eve", "max", "olivia", "zoe"));
        equal(owner.getRateLimit().getLimit() > 0, true);
    }

    static void teams() throws Exception {
        org.createRepository("site").private_(true).create();
        var team = closed("Core Team").description("first").maintainers("max").repositories("acme/site").create();
        equal(team.getSlug(), "core-team");
        team.setDescription("second");
        equal(org.getTeamBySlug("core-team").getDescription(), "second");
        equal(org.getTeam(team.getId()).getRepositories().keySet().toString(), "[site]");
        equal(slugs(org.listTeams()), List.of("core-team"));
        equal(owner.getMyTeams().keySet().toString(), "[acme]");
        team.delete();
        refused(404, () -> org.getTeamBySlug("core-team"));
    }

    static void nesting() throws Exception {
        var parent = closed("Parent").create();
        closed("Child").parentTeamId(parent.getId()).create().add(owner.getUser("max"));
        equal(slugs(parent.listChildTeams()), List.of("child"));
        equal(logins(parent.listMembers()), List.of("max", "olivia"));
        parent.delete();
        refused(404, () -> org.getTeamBySlug("child"));
    }

    static void privacy() throws Exception {
        var hidden = org.createTeam("Hidden").create();
        var open = closed("Open").create();
        var seen = seenBy("GUILDHALL_MEMBER_TOKEN");
        equal(slugs(seen.listTeams()), List.of("open"));
        refused(404, () -> seen.getTeamBySlug("hidden"));
        hidden.setPrivacy(GHTeam.Privacy.CLOSED);
        equal(seen.getTeamBySlug("hidden").getPrivacy(), GHTeam.Privacy.CLOSED);
        hidden.delete();
        open.delete();
    }

    static void memberships() throws Exception {
        var team = closed("People").create();
        var max = owner.getUser("max");
        team.add(max, GHTeam.Role.MEMBER);
        team.add(max, GHTeam.Role.MAINTAINER);
        equal(logins(team.listMembers(GHTeam.Role.MAINTAINER)), List.of("max", "olivia"));
        equal(team.hasMember(max), true);
        team.remove(max);
        equal(logins(team.listMembers()), List.of("olivia"));
        team.delete();
    }

    static void invitations() throws Exception {
        var team = closed("Welcome").create();
        team.add(owner.getUser("nina"));
        var nina = connect(System.getenv("GUILDHALL_OUTSIDER_TOKEN"));
        nina.getMyself().listOrgMemberships().toList().get(0).activate();
        equal(logins(team.listMembers()), List.of("nina", "olivia"));
        org.remove(owner.getUser("nina"));
        equal(org.hasMember(owner.getUser("nina")), false);
        team.delete();
    }

    static void repositories() throws Exception {
        var parent = closed("Owners").create();
        var child = closed("Helpers").parentTeamId(parent.getId()).create();
        var repo = org.createRepository("engine").private_(true).create();
        parent.add(repo, GHOrganization.RepositoryRole.from(GHOrganization.Permission.MAINTAIN));
        equal(child.getRepositories().keySet().toString(), "[engine]");
        equal(repo.getTeams().size(), 2);
        parent.remove(repo);
        equal(child.getRepositories().size(), 0);
        repo.delete();
        parent.delete();
    }

    static void projects() throws Exception {
        var project = org.createProject("Plan", "first");
        project.setBody("second");
        equal(org.listProjects().toList().get(0).getBody(), "second");
        project.delete();
    }

    static void discussions() throws Exception {
        var team = closed("Board").create();
        var made = ((GHDiscussion.Creator) team.createDiscussion("Hello").body("All")).private_(true).done();
        equal(made.isPrivate(), true);
        made.set().title("Hi");
        equal(team.getDiscussion(1).getTitle(), "Hi");
        equal(team.listDiscussions().toList().size(), 1);
        team.getDiscussion(1).delete();
        refused(404, () -> team.getDiscussion(1));
        team.delete();
    }

    static void pages() throws Exception {
        var wanted = new ArrayList<String>();
        for (int n = 100; n < 135; n++) wanted.add(closed("Page " + n).create().getSlug());
        equal(slugs(org.listTeams().withPageSize(10)), wanted);
        for (var team : org.listTeams().toList()) team.delete();
    }

    /** The library makes its requests conditional with the cache of OkHttp. */
    static void conditional() throws Exception {
        var team = closed("Tagged").create();
        var cache = new Cache(Files.createTempDirectory("story").toFile(), 1 << 20);
        var connector = new OkHttpGitHubConnector(new OkHttpClient.Builder().cache(cache).build());
        var caching = builder(System.getenv("GUILDHALL_TOKEN")).withConnector(connector).build();
        var seen = caching.getOrganization(System.getenv("GUILDHALL_ORG"));
        equal(seen.getTeamBySlug("tagged").getDescription(), null);
        var before = cache.hitCount();
        equal(seen.getTeamBySlug("tagged").getDescription(), null);
        equal(cache.hitCount(), before + 1);
        team.setDescription("changed");
        equal(seen.getTeamBySlug("tagged").getDescription(), "changed");
        team.delete();
    }

    static void errors() throws Exception {
        var team = closed("Taken").create();
        refused(401, () -> connect("wrong").getMyself());
        refused(403, () -> seenBy("GUILDHALL_MEMBER_TOKEN").getTeam(team.getId()).delete());
        refused(404, () -> org.getTeamBySlug("nowhere"));
        refused(422, () -> closed("taken").create());
        var mine = owner.createRepository("mine").create();
        refused(422, () -> team.add(mine));
        team.delete();
    }

    /** Changes the groups of a team. The library cannot, so this is no call of it. */
    static void link(String groups) throws Exception {
        var path = "/orgs/acme/teams/followers/team-sync/group-mappings";
        aside("PATCH", path, groups);
    }

    static String aside(String method, String path, String body) throws Exception {
        mark("begin aside");
        var request = HttpRequest.newBuilder(URI.create(System.getenv("GUILDHALL_URL") + path))
            .header("Authorization", "Bearer " + System.getenv("GUILDHALL_TOKEN")).header("User-Agent", "story")
            .method(method, BodyPublishers.ofString(body)).build();
        var answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
        equal(answer.statusCode(), 200);
        mark("ok aside");
        return answer.body();
    }

    static void groups() throws Exception {
        var team = closed("Followers").create();
        var max = owner.getUser("max");
        link(aside("GET", "/orgs/acme/team-sync/groups", ""));
        var refusal = refused(403, () -> team.add(max));
        equal(refusal.getMessage().contains("managed by the organization's identity provider"), true);
        link("{\"groups\": []}");
        team.add(max);
        equal(team.hasMember(max), true);
        team.delete();
    }

    /** Of a member who creates nothing else. */
    static void limits() throws Exception {
        var team = closed("Busy").create();
        var seen = seenBy("GUILDHALL_MEMBER_TOKEN").getTeam(team.getId());
        var refusal = refused(403, () -> {
            for (int n = 0; n < 100; n++) seen.createDiscussion("Hello").body("All").done();
        });
        equal(refusal.getMessage(), "Abuse limit reached");
        var wait = Integer.parseInt(((HttpException) refusal).getResponseHeaderFields().get("Retry-After").get(0));
        equal(wait > 0 && wait <= 60, true);
        team.delete();
    }

    static void mark(String text) {
        var now = Instant.now();
        System.out.printf("%d.%06d %s%n", now.getEpochSecond(), now.getNano() / 1000, text);
    }

    static void run(String name, Part part) {
        mark("begin " + name);
        try {
            part.run();
            mark("ok " + name);
        } catch (Exception | AssertionError error) {
            failed = true;
            mark("FAILED " + name + ": " + String.valueOf(error.getMessage()).replace('\n', ' '));
            error.printStackTrace();
        }
    }

    public static void main(String[] arguments) throws Exception {
        owner = connect(System.getenv("GUILDHALL_TOKEN"));
        org = owner.getOrganization(System.getenv("GUILDHALL_ORG"));
        run("start", Story::start);
        run("teams", Story::teams);
        run("nesting", Story::nesting);
        run("privacy", Story::privacy);
        run("memberships", Story::memberships);
        run("invitations", Story::invitations);
        run("repositories", Story::repositories);
        run("projects", Story::projects);
        run("discussions", Story::discussions);
        run("pages", Story::pages);
        run("conditional", Story::conditional);
        run("errors", Story::errors);
        run("groups", Story::groups);
        run("limits", Story::limits);
        System.exit(failed ? 1 : 0);
    }
}
