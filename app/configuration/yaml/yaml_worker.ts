// Loaded without the service's TypeScript loader: only the real file name resolves.
import { readYaml } from './read_yaml.ts'
import type { YamlResult } from './tree.ts'

/** The function that a `YamlReader` thread runs. */
export default function readYamlInThread({ input }: { input: string }): YamlResult {
  try {
    return readYaml(input)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    const message = 'Maps and lists are nested too deeply to be read'
    return {
      ok: false,
      problems: [{ code: 'yaml_nesting_limit', message, path: [], line: 1, column: 1 }],
    }
  }
}
