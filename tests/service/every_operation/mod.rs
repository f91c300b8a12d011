//! The rules for every row of the table, tried with one sample request for each row. No row is left out, and a new one
//! only needs a sample (decisions 1, 2, 5, 7, 17 to 20).

mod alike;
mod audited;
mod compressed;
mod examples;
mod failing;
mod forms;
mod fresh;
mod hostile;
mod invisible;
mod nul;
mod outcome;
mod parameters;
mod personas;
mod probe;
mod queries;
mod refusals;
mod restricted;
mod samples;
mod scene;
mod schemas;
mod statements;
