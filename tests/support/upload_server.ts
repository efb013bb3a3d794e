import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import testUtils from '@adonisjs/core/services/test_utils'
import db from '@adonisjs/lucid/services/db'
import type { UnitOfWork } from '#foundation/core/database/unit_of_work'
import { Spool } from '#foundation/core/files/spool'
import { quota } from '#foundation/api/services'
import { changes, clock, selects, unitOfWork } from '#foundation/core/services'
import { Executor } from '#foundation/api/execution/execute'
import { BoundedQueue } from '#foundation/api/execution/write_queue'
import ErrorBoundary from '#foundation/api/http/exception_handler'
import { HttpAdapter } from '#foundation/api/http/http_adapter'
import type { AnyOperation } from '#foundation/api/operation/declaration'
import { operations } from '#foundation/api/operation/registry'
import { ApiKeyAuthenticator } from '#organizations/api_key_authenticator'
import { Api } from './api.js'
import { listen } from './processes.js'

/** Serves one operation at every path, with a spool of its own. */
export async function serveAlone(
  operation: AnyOperation,
  {
    params = {},
    transactions = unitOfWork,
  }: { params?: Record<string, string>; transactions?: UnitOfWork } = {}
) {
  const folder = mkdtempSync(join(tmpdir(), 'tarmac-spool-'))
  const adapter = new HttpAdapter({
    authenticator: new ApiKeyAuthenticator(db as never, selects, clock),
    quota,
    changes,
    executor: new Executor({
      unitOfWork: transactions,
      changes,
      operations,
      writeQueue: new BoundedQueue(100),
    }),
    spool: new Spool(folder),
    requireHttps: false,
    ready: () => true,
  })
  const server = createServer(async (req, res) => {
    const http = await testUtils.createHttpContext({ req, res })
    http.params = params
    try {
      await adapter.serve(operation, http)
    } catch (error) {
      await new ErrorBoundary().handle(error, http)
    }
    http.response.finish()
  })
  const base = await listen(server)
  return {
    base,
    client(key: string) {
      const api = new Api(key, base)
      return (body: { raw: Buffer; headers: Record<string, string> }, headers = {}) =>
        api.post('/', undefined, {
          raw: body.raw,
          headers: { ...body.headers, ...headers },
          unchecked: true,
        })
    },
    /** Names of the files in the spool. */
    spooled: () => readdirSync(folder),
    folder,
    close() {
      server.closeAllConnections()
      server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Returns a unit of work whose transactions throw an error: after the commit, or before it unless
 * `isDone`.
 */
export function endingWith(error: Error, { isDone = true } = {}): UnitOfWork {
  const failing: UnitOfWork = Object.create(unitOfWork)
  failing.readScope = (principal) => unitOfWork.readScope(principal)
  failing.inTransaction = async (principal, work) => {
    if (isDone) await unitOfWork.inTransaction(principal, work)
    else {
      await unitOfWork.inTransaction(principal, async (scope) => {
        await work(scope)
        throw error
      })
    }
    throw error
  }
  return failing
}
