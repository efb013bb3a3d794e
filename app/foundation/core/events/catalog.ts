import type { PayloadModel } from './payloads.js'

/** A kind of webhook event, declared once by the module that causes it. */
export interface EventDeclaration {
  type: string
  summary: string
  /** Exactly when it fires. */
  description: string
  /** As the specification writes them. */
  platforms: string
  payload: PayloadModel
  /** The payload without its type; made on demand, because modules add to it. */
  example: () => Record<string, unknown>
}

/** All event kinds of the service. */
class EventCatalog {
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

  /** @throws for a type that no module declared. */
  get(type: string): EventDeclaration {
    const found = this.#events.get(type)
    if (!found) throw new Error(`Nobody declared the event ${type}`)
    return found
  }

  /** Returns the models of all payloads, each once. */
  payloads(): PayloadModel[] {
    return [...new Set(this.all().map(({ payload }) => payload))]
  }
}

export const eventCatalog = new EventCatalog()
