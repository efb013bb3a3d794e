import type { HttpContext } from '@adonisjs/core/http'
import encryption from '@adonisjs/core/services/encryption'
import { csrfFactory } from '@adonisjs/shield/guards'

const guard = csrfFactory({ enabled: true, methods: ['POST'] }, encryption.use())
const maker = csrfFactory({ enabled: true, exceptRoutes: () => true }, encryption.use())

/**
 * Makes the CSRF token for the forms of a page; for a `POST`, checks the token of the form.
 * @throws E_BAD_CSRF_TOKEN
 */
export const checkToken = async (http: HttpContext): Promise<void> => guard(http)

/** Makes a token for a session that has just begun; earlier tokens become invalid. */
export const renewToken = async (http: HttpContext): Promise<void> => maker(http)
