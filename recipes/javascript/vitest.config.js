import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    globalSetup: "./global-setup.js",
    globals: true,
    // Files share the server, so they take turns.
    fileParallelism: false,
  },
});
