// The same as server.js for Vitest without `globals: true`.
import { afterAll, beforeAll, beforeEach } from "vitest";
import * as server from "./server.js";

export const guildhall = (seed) => server.guildhall(seed, { afterAll, beforeAll, beforeEach });
