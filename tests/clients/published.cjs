// Checks the bodies of responses against the published descriptions of the API, which the npm package @octokit/openapi
// contains.
//
// Reads GUILDHALL_DESCRIPTIONS, the folder with the descriptions, and published_differences.txt, which lists every
// difference that is intended. A difference that is not listed fails the test, and so does a line that nothing needs.
"use strict";
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const Ajv = require("ajv");
const addFormats = require("ajv-formats");

const LIST = path.join(__dirname, "published_differences.txt");
// Many more responses are checked. With fewer, the hook that calls this does not work.
const LEAST_OPERATIONS = 60;

// A schema of OpenAPI 3.0 as one of JSON Schema: null is a type there.
function converted(node) {
  if (Array.isArray(node)) return node.map(converted);
  if (node === null || typeof node !== "object") return node;
  const out = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, converted(value)]));
  if (node.nullable !== true) return out;
  delete out.nullable;
  if (typeof out.type === "string" && !out.$ref) {
    if (out.enum && !out.enum.includes(null)) out.enum = [...out.enum, null];
    return { ...out, type: [out.type, "null"] };
  }
  return { if: { type: "null" }, then: true, else: out };
}

const encoded = (segment) => encodeURIComponent(segment.replace(/~/g, "~0").replace(/\//g, "~1"));

class Description {
  constructor(folder, name) {
    const { paths, components } = JSON.parse(fs.readFileSync(path.join(folder, `${name}.json`), "utf8"));
    this.name = name;
    this.document = converted({ paths, components });
    this.ajv = new Ajv({ strict: false, allErrors: true, logger: false });
    addFormats(this.ajv);
    this.ajv.addSchema(this.document, name);
    this.templates = Object.keys(paths).map((template) => {
      const segments = template.split("/");
      const pattern = segments.map((s) => (s.startsWith("{") ? "[^/]+" : s.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")));
      return { template, pattern: new RegExp(`^${pattern.join("/")}$`), literal: segments.filter((s) => !s.startsWith("{")).length };
    });
    this.templates.sort((a, b) => b.literal - a.literal);
    this.validators = new Map();
  }

  // The schema of the body of a response, as a function that checks it, and what it belongs to.
  find(method, address, status) {
    const found = this.templates.find(({ template, pattern }) => pattern.test(address) && this.document.paths[template][method]);
    if (!found) return undefined;
    const steps = ["paths", found.template, method, "responses", String(status)];
    const key = steps.join(" ");
    if (!this.validators.has(key)) this.validators.set(key, this.compiled(steps));
    return { operation: `${method.toUpperCase()} ${found.template}`, validate: this.validators.get(key) };
  }

  compiled(steps) {
    let place = steps;
    let response = steps.reduce((node, step) => node?.[step], this.document);
    if (response?.$ref) {
      place = response.$ref.slice(2).split("/");
      response = place.reduce((node, step) => node?.[step], this.document);
    }
    if (!response?.content?.["application/json"]?.schema) return undefined;
    const pointer = [...place, "content", "application/json", "schema"].map(encoded).join("/");
    return this.ajv.compile({ $ref: `${this.name}#/${pointer}` });
  }
}

// Where in the body an error is, and what is wrong there. Items of a list have no number.
function differences(errors) {
  return errors.filter(({ keyword }) => keyword !== "if").map(({ instancePath, keyword, params }) => {
    const at = instancePath.replace(/\/\d+(?=\/|$)/g, "/*") || "/";
    const what = params.missingProperty ?? params.type ?? params.format ?? params.allowedValues ?? "";
    return `${at} ${keyword} ${[what].flat().join(",")}`.trim();
  });
}

class Published {
  constructor(folder) {
    const names = fs.readdirSync(folder).filter((file) => file.endsWith(".json")).map((file) => file.slice(0, -5)).sort();
    this.descriptions = names.map((name) => new Description(folder, name));
    this.operations = new Set();
    this.found = new Map();
  }

  // Looks at a response of the API, whose address begins with this base.
  see(base, method, { url, status, data }) {
    const address = decodeURIComponent(url.slice(base.length).split("?")[0]) || "/";
    for (const description of this.descriptions) {
      const { operation, validate } = description.find(method.toLowerCase(), address, status) ?? {};
      if (!validate || data === undefined || data === "") continue;
      this.operations.add(operation);
      if (validate(data)) continue;
      for (const difference of differences(validate.errors)) {
        const key = `${operation} ${status} ${difference}`;
        if (!this.found.has(key)) this.found.set(key, new Set());
        this.found.get(key).add(description.name);
      }
    }
  }

  // Fails if what was found is not what is listed.
  judge() {
    const lines = fs.readFileSync(LIST, "utf8").split("\n").filter((line) => line && !line.startsWith("#"));
    const listed = lines.map((line) => line.split(" | "));
    for (const fields of listed) assert.ok(fields.length === 3 && fields[2], `a line without a reason: ${fields.join(" | ")}`);
    const accepted = listed.map(([difference, where]) => `${difference} | ${where}`);
    const found = [...this.found].map(([difference, names]) => `${difference} | ${[...names].join(" ")}`).sort();
    const unknown = found.filter((line) => !accepted.includes(line));
    const unused = accepted.filter((line) => !found.includes(line));
    assert.deepEqual({ unknown, unused }, { unknown: [], unused: [] });
    assert.ok(this.operations.size >= LEAST_OPERATIONS, `only ${this.operations.size} operations were checked`);
  }
}

module.exports = { Published };
