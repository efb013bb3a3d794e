import type { Checked } from '#configuration/checks/check_configuration'
import type { ConfigurationProblem } from '#configuration/checks/problems'
import { readYaml } from '#configuration/yaml/read_yaml'
import type { YamlNode } from '#configuration/yaml/tree'

/** Parses a text that must be readable. */
export function tree(text: string): YamlNode {
  const reading = readYaml(text)
  if (!reading.ok) throw new Error(`${reading.problems[0].message}\n${text}`)
  return reading.root
}

export function problemsOf(checked: Checked<unknown>): ConfigurationProblem[] {
  return checked.ok ? [] : checked.problems
}

export function valueOf<Value>(checked: Checked<Value>): Value {
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems, null, 2))
  return checked.value
}

/** The required members of a file. */
export const HEAD = 'name: Acme\nplatform: ios\n'

/** Writes a step for a file. */
export function step(
  archetype: string,
  types = 'standard: {required: true}',
  name = archetype
): string {
  return `{name: ${name}, archetype: ${archetype}, releaseTypes: {${types}}}`
}
