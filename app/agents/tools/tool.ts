import type { ToolAnnotations } from '@modelcontextprotocol/server'
import { isWrite, type AnyOperation } from '#foundation/api/operation/declaration'
import { operations } from '#foundation/api/operation/registry'

/** The arguments of a tool call, including `action`. */
export type Arguments = Readonly<Record<string, unknown>>

/** One action of a tool: one operation of the API. */
export interface ToolAction {
  /** Id of the operation. */
  operation: string
  /** Its purpose, in a few words. */
  says: string
}

/** A tool for one task of an agent. */
export interface Tool {
  name: string
  title: string
  /** Its purpose, and when not to use it. */
  description: string
  actions: Readonly<Record<string, ToolAction>>
  /** Actions outside the tool sets that the client asked for: not listed, but they may be called. */
  unlisted?: Readonly<Record<string, ToolAction>>
}

export const operationOf = (action: ToolAction): AnyOperation => operations.get(action.operation)

/** Returns all actions that may be called, listed or not. */
export const actionsIn = ({ actions, unlisted }: Tool): Tool['actions'] => ({
  ...actions,
  ...unlisted,
})

/** Returns whether a call is urgent, so that it is allowed beyond the rate limits. */
export function isUrgentCall(tool: Tool, { action, dryRun }: Arguments): boolean {
  const known = actionsIn(tool)
  if (dryRun === true || typeof action !== 'string' || !Object.hasOwn(known, action)) return false
  return operationOf(known[action]).isUrgent === true
}

/** Returns the annotations that cover the most far-reaching of a tool's actions. */
export function annotationsOf(actions: Tool['actions']): ToolAnnotations {
  const declared = Object.values(actions).map(operationOf)
  const writes = declared.filter(isWrite)
  const openWorldHint = declared.some(({ callsOthers }) => callsOthers === true)
  // The other hints do not apply to read-only tools.
  if (writes.length === 0) return { readOnlyHint: true, openWorldHint }
  return {
    readOnlyHint: false,
    destructiveHint: writes.some(({ method }) => method !== 'POST'),
    idempotentHint: writes.every(({ method }) => method === 'PUT' || method === 'DELETE'),
    openWorldHint,
  }
}
