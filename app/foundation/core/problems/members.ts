import type { TProperties } from '@sinclair/typebox'

const declared: TProperties = {}

/**
 * Adds members that some problems of a module have beside the common ones.
 * @throws when one is declared twice.
 */
export function addProblemMembers(members: TProperties): void {
  for (const [name, schema] of Object.entries(members)) {
    if (name in declared) throw new Error(`The problem member ${name} is declared twice`)
    declared[name] = schema
  }
}

/** Returns the members of single problems that modules declared. */
export function problemMembers(): TProperties {
  return declared
}
