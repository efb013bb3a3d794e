import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import router from '@adonisjs/core/services/router'
import { clock, quota, reader, unitOfWork } from '#foundation/core/services'
import { Pipeline } from '#foundation/api/http/pipeline'
import { mount } from '#foundation/api/operation/mount'
import { operations } from '#foundation/api/operation/registry'
import { ApiKeyAuthenticator } from '#organizations/api_key_authenticator'
import env from '#start/env'
import { modules } from '#start/modules'

/*
 * Every route of the service comes from a declared operation of a module.
 */
for (const module of modules) operations.add(module)

const pipeline = new Pipeline({
  authenticator: new ApiKeyAuthenticator(db, reader, clock),
  quota,
  unitOfWork,
  operations,
  requireHttps: env.get('REQUIRE_HTTPS') ?? false,
  ready: () => !app.isTerminating && !app.isTerminated,
})

mount(operations, router, pipeline)
