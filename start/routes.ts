import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import router from '@adonisjs/core/services/router'
import { clock, quota, reader, unitOfWork } from '#foundation/services'
import { Pipeline } from '#foundation/http/pipeline'
import { mount } from '#foundation/operation/mount'
import { operations } from '#foundation/operation/registry'
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
