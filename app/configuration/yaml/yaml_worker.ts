import { parentPort } from 'node:worker_threads'
// Loaded without the service's TypeScript loader: only the real file name resolves.
import { readYaml } from './read_yaml.ts'
import type { YamlReading } from './tree.ts'

/** Where a thread of `YamlReader` starts: says that it is ready, then answers one text at a time. */
parentPort?.on('message', (text: string) => parentPort?.postMessage(reading(text)))
parentPort?.postMessage('ready')

function reading(text: string): YamlReading {
  try {
    return readYaml(text)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    const message = 'Maps and lists are nested too deeply to be read'
    return { ok: false, problems: [{ code: 'yaml_nesting_limit', message, line: 1, column: 1 }] }
  }
}
