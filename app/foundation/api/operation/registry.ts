import { isOfApi, isWrite, type AnyOperation } from './declaration.js'

/** All operations of the service, in the order they were declared. */
export class OperationRegistry {
  #operations = new Map<string, AnyOperation>()
  #routes = new Set<string>()

  /**
   * @throws Error if an id, or a method with its path, is declared twice, or if a write of the API
   * does not declare its `steps`
   */
  add(operations: readonly AnyOperation[]): void {
    for (const declared of operations) {
      const taken = this.#operations.get(declared.id)
      if (taken) throw new Error(`The operation ${declared.id} is declared twice`)
      if (isWrite(declared) && isOfApi(declared) && !declared.steps) {
        throw new Error(`The operation ${declared.id} does not say how many steps it takes`)
      }
      for (const path of [declared.path, ...(declared.aliases ?? [])]) {
        const route = `${declared.method} ${path.replace(/\{\w+\}/g, '{}')}`
        if (this.#routes.has(route)) throw new Error(`${route} is declared twice`)
        this.#routes.add(route)
      }
      this.#operations.set(declared.id, declared)
    }
  }

  all(): AnyOperation[] {
    return [...this.#operations.values()]
  }

  /** Returns the operations of the API, without those for pages only. */
  ofApi(): AnyOperation[] {
    return this.all().filter(isOfApi)
  }

  has(id: string): boolean {
    return this.#operations.has(id)
  }

  get(id: string): AnyOperation {
    const found = this.#operations.get(id)
    if (!found) throw new Error(`There is no operation ${id}`)
    return found
  }
}

export const operations = new OperationRegistry()
