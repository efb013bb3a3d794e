import type { HttpContext } from '@adonisjs/core/http'

/** Returns whether an open page asks whether it has changed. A poll takes nothing that is shown once. */
export const isPoll = ({ request }: HttpContext): boolean => request.header('x-poll') !== undefined
