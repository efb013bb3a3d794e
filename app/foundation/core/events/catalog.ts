import type { TSchema } from '@sinclair/typebox'

/** A kind of webhook event, declared once by the module that causes it. */
export interface EventDeclaration {
  type: string
  summary: string
  /** Exactly when it fires. */
  description: string
  /** As the specification lists them. */
  platforms: string
  /** Of the payload as it is sent. */
  schema: TSchema
  /** All of the payload but its type; made when it is asked for, as parts add to it. */
  example: () => Record<string, unknown>
}

/** All event kinds of the service. */
export class EventCatalog {
  #events = new Map<string, EventDeclaration>()

  /** @throws when a type is declared twice. */
  add(events: readonly EventDeclaration[]): void {
    for (const event of events) {
      if (this.#events.has(event.type)) throw new Error(`${event.type} is declared twice`)
      this.#events.set(event.type, event)
    }
  }

  all(): EventDeclaration[] {
    return [...this.#events.values()]
  }

  has(type: string): boolean {
    return this.#events.has(type)
  }
}

export const eventCatalog = new EventCatalog()
