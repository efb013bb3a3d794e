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
 * Everything that a module contributes; `start/modules.ts` lists the modules. A plugin takes the
 * same shape.
 */
export interface Module {
  /** Its folder under `app`. */
  name: string
  operations?: readonly AnyOperation[]
  /** Webhook events that it causes. */
  events?: readonly EventDeclaration[]
  problems?: ProblemDeclarations
  /** Additional members of some of its problems; the description of each names the code. */
  problemMembers?: TProperties
  /** Path parameters with ids of its own entities. */
  parameters?: Readonly<Record<string, ParameterDeclaration>>
  /** Tags of its operations in the document, with a sentence each. */
  tags?: Readonly<Record<string, string>>
  /** Its `commands.ts`, which only the console loads. */
  commands?: () => Promise<{ commands: readonly CommandClass[] }>
  /** Its extensions of lower modules, such as apps and releases. */
  extensions?: readonly Extension[]
  /** The handlers of its jobs: timers, commands, observations, chores. */
  work?: readonly Work[]
  /** Attaches its listeners to events of the process. */
  listen?(emitter: Emitter<EventsList>): void
}

/** Registers everything that modules contribute; called once, at the start. */
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
