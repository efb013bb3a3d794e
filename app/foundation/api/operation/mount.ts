import type { HttpContext } from '@adonisjs/core/http'
import type { Router } from '@adonisjs/core/http'
import type { HttpAdapter } from '../http/http_adapter.js'
import type { AnyOperation } from './declaration.js'
import { routePattern } from './route_pattern.js'

/** Adds the routes of operations: their paths and aliases, with and without `/v1`. */
export function mount(
  operations: readonly AnyOperation[],
  router: Router,
  adapter: HttpAdapter
): void {
  for (const operation of operations) {
    const methods = operation.method === 'GET' ? ['GET', 'HEAD'] : [operation.method]
    const paths = [operation.path, ...(operation.aliases ?? [])]
    for (const [index, path] of paths.entries()) {
      for (const prefix of ['', '/v1']) {
        router
          .route(prefix + routePattern(path), methods, (http: HttpContext) =>
            adapter.serve(operation, http)
          )
          .as(`${prefix ? 'v1.' : ''}${operation.id}${index > 0 ? `.alias${index}` : ''}`)
      }
    }
  }
}
