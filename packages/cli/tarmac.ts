#!/usr/bin/env node
import { CommanderError } from 'commander'
import { ENDED_BY, EXIT, Failure, failureOf } from './exit_codes.js'
import { plain, readerLeft } from './output.js'
import type { CommonOptions } from './session.js'
import { makeProgram } from './program.js'

process.once('SIGINT', () => process.exit(ENDED_BY.interrupt))
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The work goes on without a reader, and decides on the exit code.
  if (error.code === 'EPIPE') return readerLeft.abort()
  report(new Failure(EXIT.failed, `The result could not be written: ${error.message}.`))
  process.exit()
})
// A message that cannot be written changes no exit code.
process.stderr.on('error', () => {})

const program = makeProgram().exitOverride()
for (const each of allOf(program)) each.exitOverride()

try {
  await program.parseAsync()
  process.exitCode = EXIT.done
} catch (error) {
  if (error instanceof CommanderError) {
    // Commander has already printed the help or the error.
    process.exitCode = error.exitCode === 0 ? EXIT.done : EXIT.usage
  } else if (readerLeft.signal.aborted && (error as Error).name === 'AbortError') {
    // It was only printing, and was not done.
    process.exitCode = ENDED_BY.closedPipe
  } else {
    report(failureOf(error))
  }
}

/** Prints a failure on standard error, and sets its exit code. */
function report({ exit, message, lines, problem }: Failure): void {
  const text = program.opts<CommonOptions>().json
    ? JSON.stringify({ exit, detail: message, lines, ...problem })
    : plain([message, ...lines.map((line) => `  ${line}`)].join('\n'))
  process.exitCode = exit
  process.stderr.write(`${text}\n`)
}

function allOf(command: typeof program): (typeof program)[] {
  return command.commands.flatMap((each) => [each, ...allOf(each)])
}
