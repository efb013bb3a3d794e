#!/usr/bin/env node
import { CommanderError } from 'commander'
import { EXIT, failureOf } from './exit_codes.js'
import { plain } from './output.js'
import type { CommonOptions } from './session.js'
import { makeProgram } from './program.js'

/** The conventional exit code after an interrupt (128 + SIGINT). */
const INTERRUPTED = 130

process.once('SIGINT', () => process.exit(INTERRUPTED))
// The reader of a pipe may close it early.
process.stdout.on('error', () => process.exit(EXIT.done))

const program = makeProgram().exitOverride()
for (const each of allOf(program)) each.exitOverride()

try {
  await program.parseAsync()
  process.exitCode = EXIT.done
} catch (error) {
  if (error instanceof CommanderError) {
    // Commander has already printed the help or the error.
    process.exitCode = error.exitCode === 0 ? EXIT.done : EXIT.usage
  } else {
    const { exit, message, lines, problem } = failureOf(error)
    const text = program.opts<CommonOptions>().json
      ? JSON.stringify({ exit, detail: message, lines, ...problem })
      : plain([message, ...lines.map((line) => `  ${line}`)].join('\n'))
    process.stderr.write(`${text}\n`)
    process.exitCode = exit
  }
}

function allOf(command: typeof program): (typeof program)[] {
  return command.commands.flatMap((each) => [each, ...allOf(each)])
}
