// The schema that GraphQL describes is a part of the published one: the same types, fields, arguments and values.
"use strict";
const assert = require("node:assert/strict");
const { readFileSync } = require("node:fs");
const { dirname, join } = require("node:path");
const { buildClientSchema, buildSchema, getIntrospectionQuery, isEnumType, isInputObjectType, isInterfaceType,
  isObjectType, isUnionType } = require("graphql");

// The package does not export the text, so it is found next to another one.
const packages = dirname(dirname(require.resolve("graphql/package.json")));
const text = readFileSync(join(packages, "@octokit/graphql-schema/schema.graphql"), "utf8");
// It is published with two fields of another type defined twice.
const published = buildSchema(text, { assumeValidSDL: true });
const base = process.env.GUILDHALL_URL.replace(/\/api\/v3$/, "/api");

async function served() {
  const response = await fetch(`${base}/graphql`, {
    method: "POST",
    headers: { authorization: `Bearer ${process.env.GUILDHALL_TOKEN}`, "user-agent": "schema" },
    body: JSON.stringify({ query: getIntrospectionQuery() }),
  });
  const { data, errors } = await response.json();
  assert.equal(errors, undefined, JSON.stringify(errors));
  return buildClientSchema(data);
}

// What only the schema of the enterprise server has, which is not in the package.
const enterprise = ["User.suspendedAt"];

// What differs between two fields or arguments of the same name: the type, and the default.
function compare(where, ours, theirs) {
  if (!theirs) return enterprise.includes(where) ? [] : [`${where} is not published`];
  const wrong = [];
  if (String(ours.type) !== String(theirs.type)) wrong.push(`${where}: ${ours.type} instead of ${theirs.type}`);
  const [own, other] = [ours, theirs].map((one) => JSON.stringify(one.defaultValue));
  if (own !== other) wrong.push(`${where} = ${own} instead of ${other}`);
  return wrong;
}

function differences(type, theirs) {
  if (!theirs) return [`${type.name} is not published`];
  if (type.constructor !== theirs.constructor) return [`${type.name} is another kind of type`];
  const wrong = [];
  if (isEnumType(type)) {
    const known = theirs.getValues().map((value) => value.name);
    for (const { name } of type.getValues()) {
      if (!known.includes(name)) wrong.push(`${type.name}.${name} is not published`);
    }
  }
  if (isObjectType(type) || isInterfaceType(type) || isInputObjectType(type)) {
    const fields = theirs.getFields();
    for (const [name, field] of Object.entries(type.getFields())) {
      wrong.push(...compare(`${type.name}.${name}`, field, fields[name]));
      for (const argument of field.args ?? []) {
        const known = fields[name]?.args.find((other) => other.name === argument.name);
        wrong.push(...compare(`${type.name}.${name}(${argument.name})`, argument, known));
      }
      const required = (fields[name]?.args ?? []).filter((one) => String(one.type).endsWith("!"));
      const taken = (field.args ?? []).map((one) => one.name);
      wrong.push(...required.filter((one) => !taken.includes(one.name)).map((one) => `${name} lacks ${one.name}`));
    }
  }
  if (isUnionType(type)) {
    const known = theirs.getTypes().map((one) => one.name);
    wrong.push(...type.getTypes().filter((one) => !known.includes(one.name)).map((one) => `${type.name}: ${one}`));
  }
  if (isObjectType(type)) {
    const known = theirs.getInterfaces().map((one) => one.name);
    wrong.push(...type.getInterfaces().filter((one) => !known.includes(one.name)).map((one) => `${type.name}: ${one}`));
  }
  return wrong;
}

async function main() {
  const types = Object.values((await served()).getTypeMap()).filter((type) => !type.name.startsWith("__"));
  let failed = 0;
  for (const type of types) {
    const wrong = differences(type, published.getType(type.name));
    wrong.forEach((text) => console.error(`FAILED ${text}`));
    if (wrong.length > 0) failed += 1;
  }
  assert.ok(types.length > 30, "the schema has its types");
  console.log(`${types.length - failed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}

main();
