import { refuse } from '#foundation/core/problems/problem'
import type { PluginContext } from '#plugin-kit/context'
import type { BrowserSetup, Interaction, InteractionMember, Plugin } from '#plugin-kit/plugin'
import type { OpenConnection, PluginCaller } from './plugin_caller.js'
import { shielded } from './shielded.js'

/*
 * The parts of plugins that people interact with: buttons in messages, and connecting in a browser.
 */

/** Time limit of a step, in milliseconds: a browser waits for it. */
const STEP_TIMEOUT_MS = 30_000

/** The buttons of one connection at its provider. */
export interface ProviderInteractions {
  member(memberId: string): Promise<InteractionMember>
  reply(replyTo: Interaction['replyTo'], text: string): Promise<void>
}

/**
 * Returns a plugin's handling of buttons for one connection.
 * @throws plugin_missing if it has none, or they cannot be imported
 */
export async function interactionsOf(
  caller: PluginCaller,
  plugin: Plugin,
  connection: OpenConnection,
  signal: AbortSignal
): Promise<ProviderInteractions> {
  const interactions = await imported(plugin, 'interactions', plugin.interactions)
  const { context, shield } = caller.open(plugin, connection, signal)
  const own: ProviderInteractions = {
    member: (memberId) => interactions.member(context, memberId),
    reply: (replyTo, text) => interactions.reply(context, replyTo, text),
  }
  return shielded(own, shield)
}

/**
 * Takes a step of a connection that is made in a browser.
 * @throws plugin_missing if the plugin makes none that way; ProviderError
 */
export async function takeSetupStep<Result>(
  caller: PluginCaller,
  plugin: Plugin,
  connection: Omit<OpenConnection, 'stored'>,
  take: (setup: BrowserSetup, context: PluginContext) => Result | Promise<Result>
): Promise<Result> {
  const setup = await imported(plugin, 'setup', plugin.setup)
  const signal = AbortSignal.timeout(STEP_TIMEOUT_MS)
  const { context } = caller.open(plugin, { ...connection, stored: null }, signal)
  return take(setup, context)
}

/** @throws plugin_missing */
async function imported<Part>(
  { manifest: { id } }: Plugin,
  name: string,
  load: (() => Promise<{ default: Part }>) | undefined
): Promise<Part> {
  if (!load) throw refuse('plugin_missing', { detail: `${id} has no ${name}.` })
  try {
    return (await load()).default
  } catch (cause) {
    throw refuse('plugin_missing', { detail: `The ${name} of ${id} cannot be imported.`, cause })
  }
}
