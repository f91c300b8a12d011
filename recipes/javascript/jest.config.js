export default {
  globalSetup: "./jest-setup.js",
  globalTeardown: "./jest-teardown.js",
  // Files share the server, so they take turns.
  maxWorkers: 1,
};
