package org.example.teams;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.kohsuke.github.GitHub;
import org.kohsuke.github.GitHubBuilder;

/** Starts one server for all test classes and puts it back to its seed before each test. */
public final class Guildhall implements BeforeEachCallback {
    private final HttpClient http = HttpClient.newHttpClient();
    private GuildhallServer server;

    @Override
    public void beforeEach(ExtensionContext context) throws Exception {
        // The store of the root closes the server after the last test.
        server = context.getRoot()
                .getStore(Namespace.GLOBAL)
                .getOrComputeIfAbsent(GuildhallServer.class, key -> GuildhallServer.start(), GuildhallServer.class);
        send("POST", "reset", "{}");
    }

    public GitHub connect(String token) throws IOException {
        return new GitHubBuilder().withEndpoint(server.url()).withOAuthToken(token).build();
    }

    public void advance(String duration) throws Exception {
        send("POST", "clock", """
                {"advance": "%s"}""".formatted(duration));
    }

    public void fail(String operation, String name, int count) throws Exception {
        send("PUT", "faults", """
                {"faults": [{"operation": "%s", "name": "%s", "count": %d}]}""".formatted(operation, name, count));
    }

    private void send(String method, String name, String body) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(server.url() + "/_guildhall/" + name))
                .method(method, BodyPublishers.ofString(body))
                .header("Content-Type", "application/json")
                .build();
        var response = http.send(request, BodyHandlers.ofString());
        if (response.statusCode() >= 300) {
            throw new IllegalStateException(name + ": " + response.statusCode() + " " + response.body());
        }
    }
}
