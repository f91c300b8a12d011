"use strict";
// The program: that of the package for this platform, or else the one in PATH.
const { existsSync, realpathSync } = require("node:fs");
const { basename, delimiter, join } = require("node:path");
const { arch, env, platform } = process;

module.exports = () => {
  try {
    return require.resolve(`guildhall-${platform}-${arch}/guildhall`);
  } catch {
    const files = (env.PATH ?? "").split(delimiter).map((folder) => join(folder, "guildhall"));
    // npm puts guildhall.js into PATH by the same name.
    const found = files.find((file) => existsSync(file) && basename(realpathSync(file)) !== "guildhall.js");
    if (found) return found;
    throw new Error(`there is no program for ${platform}-${arch}: install guildhall for it and add it to PATH`);
  }
};
