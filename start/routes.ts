import app from '@adonisjs/core/services/app'
import emitter from '@adonisjs/core/services/emitter'
import router from '@adonisjs/core/services/router'
import db from '@adonisjs/lucid/services/db'
import { crossOrigins } from '#config/cross_origin'
import { CrossOrigin } from '#foundation/api/http/cross_origin'
import { HttpAdapter } from '#foundation/api/http/http_adapter'
import { registerModules } from '#foundation/api/module'
import { mount } from '#foundation/api/operation/mount'
import { operations } from '#foundation/api/operation/registry'
import { executor, quota } from '#foundation/api/services'
import { changes, clock, selects } from '#foundation/core/services'
import { ApiKeyAuthenticator } from '#organizations/api_key_authenticator'
import { mountPages } from '#pages/routes'
import env from '#start/env'
import { modules } from '#start/modules'

/*
 * Registers all modules, and mounts the routes of their operations.
 */
registerModules(modules, emitter)

const crossOrigin = new CrossOrigin(crossOrigins)
const adapter = new HttpAdapter({
  authenticator: new ApiKeyAuthenticator(db, selects, clock),
  quota,
  changes,
  executor,
  spool: await app.container.make('spool'),
  crossOrigin,
  requireHttps: env.get('REQUIRE_HTTPS') ?? false,
  ready: () => !app.isTerminating && !app.isTerminated,
})

mount(operations.ofApi(), router, adapter)
crossOrigin.mount(operations.ofApi(), router)
mountPages(router)
