package org.example.teams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.kohsuke.github.GHMembership.State;
import org.kohsuke.github.GHOrganization;
import org.kohsuke.github.GHOrganization.Role;
import org.kohsuke.github.GHTeam;
import org.kohsuke.github.GitHub;
import org.kohsuke.github.HttpException;

class TeamsTest {
    @RegisterExtension
    static final Guildhall guildhall = new Guildhall();

    private GitHub olivia;
    private GHOrganization acme;

    @BeforeEach
    void connect() throws IOException {
        olivia = guildhall.connect("olivia-token");
        acme = olivia.getOrganization("acme");
    }

    @RepeatedTest(2)
    void eachTestBeginsWithTheSeed() throws IOException {
        assertEquals(List.of("core", "engineering", "security"), slugs());
        acme.getTeamBySlug("core").delete();
        assertEquals(List.of("engineering", "security"), slugs());
    }

    @Test
    void a502IsAnExceptionWithItsStatusOnce() throws Exception {
        guildhall.fail("teams.getByName", "bad_gateway", 1);
        var error = assertThrows(HttpException.class, () -> acme.getTeamBySlug("core"));
        assertEquals(502, error.getResponseCode());
        assertEquals("Core", acme.getTeamBySlug("core").getName());
    }

    @Test
    void anInvitationExpiresAfterAWeek() throws Exception {
        var nina = guildhall.connect("nina-token").getMyself();
        acme.add(olivia.getUser("nina"), Role.MEMBER);
        assertEquals(1, nina.listOrgMemberships(State.PENDING).toList().size());
        guildhall.advance("8d");
        assertEquals(0, nina.listOrgMemberships(State.PENDING).toList().size());
    }

    private List<String> slugs() throws IOException {
        return acme.listTeams().toList().stream().map(GHTeam::getSlug).toList();
    }
}
