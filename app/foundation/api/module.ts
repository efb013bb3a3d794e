import type { TProperties } from '@sinclair/typebox'
import type { BaseCommand } from '@adonisjs/core/ace'
import type { CommandMetaData } from '@adonisjs/core/types/ace'
import type { Emitter } from '@adonisjs/core/events'
import type { EventsList } from '@adonisjs/core/types'
import { works, type Work } from '../jobs/handlers.js'
import { eventCatalog, type EventDeclaration } from '../core/events/catalog.js'
import type { Extension } from '../core/extension_point.js'
import { addProblems, type ProblemDeclarations } from '../core/problems/catalog.js'
import { addProblemMembers } from '../core/problems/members.js'
import type { AnyOperation } from './operation/declaration.js'
import { parameters, type ParameterDeclaration } from './operation/parameters.js'
import { operations } from './operation/registry.js'
import { tags } from './operation/tags.js'

/** A command of the console. */
export type CommandClass = (abstract new (
  ...args: ConstructorParameters<typeof BaseCommand>
) => BaseCommand) & { serialize(): CommandMetaData }

/**
 * All that a module brings, in one object; `start/modules.ts` lists them. A plugin takes the
 * same shape.
 */
export interface Module {
  /** Its folder under `app`. */
  name: string
  operations?: readonly AnyOperation[]
  /** Webhook events that it causes. */
  events?: readonly EventDeclaration[]
  problems?: ProblemDeclarations
  /** Members that some of its problems carry beside those all have; each says with what code. */
  problemMembers?: TProperties
  /** Path parameters whose ids are its own. */
  parameters?: Readonly<Record<string, ParameterDeclaration>>
  /** Tags of its operations in the document, with a sentence each. */
  tags?: Readonly<Record<string, string>>
  /** Its `commands.ts`, which only the console loads. */
  commands?: () => Promise<{ commands: readonly CommandClass[] }>
  /** Its extensions of lower modules, such as of apps and releases. */
  extensions?: readonly Extension[]
  /** The work that carries out its jobs: timers, commands, observations, chores. */
  work?: readonly Work[]
  /** Attaches its listeners to what is announced inside the process. */
  listen?(emitter: Emitter<EventsList>): void
}

/** Puts what modules bring where it is looked for; called once, at the start. */
export function registerModules(modules: readonly Module[], emitter: Emitter<EventsList>): void {
  for (const module of modules) {
    addProblems(module.problems ?? {})
    addProblemMembers(module.problemMembers ?? {})
    parameters.add(module.parameters ?? {})
    tags.add(module.tags ?? {})
    operations.add(module.operations ?? [])
    eventCatalog.add(module.events ?? [])
    for (const extension of module.extensions ?? []) extension.register()
    works.add(module.work ?? [])
    module.listen?.(emitter)
  }
}
