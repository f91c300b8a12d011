package org.example.teams;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.MountableFile;

/** A running server: a container, or the program that GUILDHALL_PROGRAM names where there is no Docker. */
interface GuildhallServer extends AutoCloseable {
    Path SEED = Path.of("../../samples/dev/seed.yaml");

    String url();

    @Override
    void close();

    static GuildhallServer start() {
        String program = System.getenv("GUILDHALL_PROGRAM");
        return program == null ? new InContainer() : new AsProcess(program);
    }

    /** Runs the image that packaging/image makes. */
    final class InContainer implements GuildhallServer {
        private final GenericContainer<?> container = new GenericContainer<>("guildhall:latest")
                .withCopyFileToContainer(MountableFile.forHostPath(SEED), "/seed.yaml")
                .withCommand("guildhall", "dev", "--seed", "/seed.yaml", "--listen", "0.0.0.0:8420", "--allow-remote",
                        "--control-host", DockerClientFactory.instance().dockerHostIpAddress())
                .withExposedPorts(8420)
                .waitingFor(Wait.forHttp("/healthz"));

        InContainer() {
            container.start();
        }

        @Override
        public String url() {
            return "http://" + container.getHost() + ":" + container.getMappedPort(8420);
        }

        @Override
        public void close() {
            container.close();
        }
    }

    /** Runs the program on a free port. */
    final class AsProcess implements GuildhallServer {
        private final Process process;
        private final String url;

        AsProcess(String program) {
            try {
                process = new ProcessBuilder(program, "dev", "--seed", SEED.toString(), "--listen", "127.0.0.1:0")
                        .redirectError(Redirect.INHERIT)
                        .start();
                var output = new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8);
                String ready = new BufferedReader(output).readLine();
                if (ready == null) {
                    throw new IllegalStateException("guildhall dev has not started; its message is on standard error");
                }
                url = ready.substring(ready.lastIndexOf(' ') + 1);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public String url() {
            return url;
        }

        @Override
        public void close() {
            process.destroy();
        }
    }
}
