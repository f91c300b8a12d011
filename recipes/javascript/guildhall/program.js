"use strict";
// The path of the program: of the package for this platform, or else the one in PATH.
const { platform, arch } = process;

try {
  module.exports = require.resolve(`guildhall-${platform}-${arch}/guildhall`);
} catch {
  module.exports = "guildhall";
}
