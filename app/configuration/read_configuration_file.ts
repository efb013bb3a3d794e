import type { RawBody } from '#foundation/api/operation/declaration'
import { refuse, type ProblemPlace } from '#foundation/core/problems/problem'
import type { Checked } from './checks/check_configuration.js'
import { formatPath, formatPointer } from './checks/path.js'
import { YAML_LIMITS, type YamlNode } from './yaml/tree.js'
import { YamlReader } from './yaml/yaml_reader.js'

/** Maximum size of a configuration file, in bytes. */
export const MAX_FILE_BYTES: number = YAML_LIMITS.bytes

const reader = new YamlReader()

/**
 * Reads the bytes of a configuration file. Call it outside any transaction: it may take a second.
 * @throws too_large, malformed_yaml with every place that cannot be read
 */
export async function readConfigurationFile({ bytes }: Pick<RawBody, 'bytes'>): Promise<YamlNode> {
  if (bytes.byteLength > MAX_FILE_BYTES) {
    throw refuse('too_large', {
      detail: `The file is larger than ${MAX_FILE_BYTES / 1024} KiB.`,
      members: { limit: MAX_FILE_BYTES },
    })
  }
  const result = await reader.read(bytes)
  if (result.ok) return result.root
  const found = result.problems
    .toSorted((one, other) => one.line - other.line || one.column - other.column)
    .map(({ path, ...problem }) => ({
      path: formatPath(path),
      pointer: formatPointer(path),
      ...problem,
    })) satisfies ProblemPlace[]
  throw refuse('malformed_yaml', {
    detail: summary('The file cannot be read as YAML', found),
    errors: found,
  })
}

/**
 * Returns a valid result of a check, with its warnings.
 * @param what the checked object, for messages
 * @throws invalid_configuration with all problems
 */
export function requireValid<Value>(
  checked: Checked<Value>,
  what = 'The configuration file'
): Valid<Value> {
  if (checked.ok) return checked
  throw refuse('invalid_configuration', {
    detail: summary(`${what} is invalid`, checked.problems),
    errors: checked.problems,
  })
}

export type Valid<Value> = Extract<Checked<Value>, { ok: true }>

interface FileProblem {
  path?: string
  line: number
  message: string
}

function summary(what: string, problems: readonly FileProblem[]): string {
  const [first] = problems
  const where = first.path ? `${first.path}, line ${first.line}` : `line ${first.line}`
  const count = problems.length === 1 ? 'one problem' : `${problems.length} problems, the first`
  const end = /[.?]$/.test(first.message) ? '' : '.'
  return `${what}: ${count} at ${where}: ${first.message}${end}`
}
