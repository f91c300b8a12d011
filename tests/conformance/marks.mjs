// Runs the parts of a story, and marks when each began and how it ended, for judge.py.
const mark = (text) => console.log(`${((performance.timeOrigin + performance.now()) / 1000).toFixed(6)} ${text}`);

// Runs each part and marks when it began and how it ended.
export async function run(parts) {
  for (const [name, part] of Object.entries(parts)) {
    mark(`begin ${name}`);
    await part().then(
      () => mark(`ok ${name}`),
      (error) => {
        mark(`FAILED ${name}: ${error.message.split("\n")[0]}`);
        console.error(error);
        process.exitCode = 1;
      },
    );
  }
}

// What a story itself does within a part counts for nothing.
export async function aside(work) {
  mark("begin aside");
  const done = await work();
  mark("ok aside");
  return done;
}
