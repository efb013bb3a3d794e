import type { ToolAnnotations } from '@modelcontextprotocol/server'
import { isWrite, type AnyOperation } from '#foundation/api/operation/declaration'
import { operations } from '#foundation/api/operation/registry'

/** The arguments of a call beside the action. */
export type Arguments = Readonly<Record<string, unknown>>

/** One thing that a tool does: one operation of the API. */
export interface ToolAction {
  /** Id of the operation. */
  operation: string
  /** A short description. */
  says: string
}

/** A task that an agent is given a tool for. */
export interface Tool {
  name: string
  title: string
  /** The purpose, and when not to use it. */
  description: string
  actions: Readonly<Record<string, ToolAction>>
  /** Actions of it that are not listed with the sets that were asked for; they may be called. */
  unlisted?: Readonly<Record<string, ToolAction>>
}

export const operationOf = (action: ToolAction): AnyOperation => operations.get(action.operation)

/** Actions that may be called, whether they are listed or not. */
export const actionsIn = ({ actions, unlisted }: Tool): Tool['actions'] => ({
  ...actions,
  ...unlisted,
})

/** Returns whether a call is urgent, so that it is admitted beyond the rate limits. */
export function isUrgentCall(tool: Tool, { action, dryRun }: Arguments): boolean {
  const known = actionsIn(tool)
  if (dryRun === true || typeof action !== 'string' || !Object.hasOwn(known, action)) return false
  return operationOf(known[action]).isUrgent === true
}

/** Returns annotations for the strongest effects of a tool's actions. */
export function annotationsOf(actions: Tool['actions']): ToolAnnotations {
  const declared = Object.values(actions).map(operationOf)
  const writes = declared.filter(isWrite)
  const openWorldHint = declared.some(({ callsOthers }) => callsOthers === true)
  // The others say nothing of what only reads.
  if (writes.length === 0) return { readOnlyHint: true, openWorldHint }
  return {
    readOnlyHint: false,
    destructiveHint: writes.some(({ method }) => method !== 'POST'),
    idempotentHint: writes.every(({ method }) => method === 'PUT' || method === 'DELETE'),
    openWorldHint,
  }
}
