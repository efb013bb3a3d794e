import { writeSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { BaseReporter } from '@japa/runner/core'
import type { NamedReporterContract, PluginFn } from '@japa/runner/types'
import { MESSAGES, type Message } from './messages.js'
import { processorSeconds } from './processor_seconds.js'

type Failure = { phase: string; error: unknown }

const report = (message: Message) => void writeSync(MESSAGES, `${JSON.stringify(message)}\n`)

const fileOf = (meta: Record<string, any>) => relative(process.cwd(), meta.fileName)

/** Sends each result to the queue as soon as it is known, beside any reporter. */
export function reportQueue(): PluginFn {
  let used = 0
  const since = () => {
    const before = used
    used = processorSeconds()
    return used - before
  }
  return ({ emitter }) => {
    emitter.on('runner:start', () => void since())
    emitter.on('test:end', ({ title, meta, hasError, errors, isSkipped, isTodo, duration }) => {
      report({
        kind: 'test',
        file: fileOf(meta),
        title: [meta.group?.options?.title, title.expanded].filter(Boolean).join(' / '),
        outcome: hasError ? 'failed' : isSkipped || isTodo ? 'skipped' : 'passed',
        seconds: duration / 1000,
        processor: since(),
        errors: errors.map(textOf),
      })
    })
    emitter.on('group:end', ({ title, meta, errors }) => fault(`${fileOf(meta)}: ${title}`, errors))
    emitter.on('suite:end', ({ name, errors }) => fault(name, errors))
    emitter.on('runner:end', () => report({ kind: 'end' }))
  }
}

function fault(title: string, errors: Failure[]) {
  if (errors.length > 0) report({ kind: 'fault', title, errors: errors.map(textOf) })
}

/**
 * Returns a failure with the stack frames in our own files; the end of the part prints all of it.
 */
function textOf({ phase, error }: Failure): string {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  const text = stripVTControlCharacters(stack)
    .split('\n')
    .filter((line) => !/^ +at .*(node_modules|node:)/.test(line))
    .join('\n')
  return phase === 'test' ? text : `in ${phase}: ${text}`
}

/** Prints failures alone, with their diffs: the queue counts the other tests. */
class FailuresReporter extends BaseReporter {
  protected override async end(): Promise<void> {
    await this.printErrors(this.runner!.getSummary())
  }
}

export const failuresAlone: NamedReporterContract = {
  name: 'failures',
  handler: (runner, emitter) => new FailuresReporter().boot(runner, emitter),
}
