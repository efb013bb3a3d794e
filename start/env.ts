import { Env } from '@adonisjs/core/env'
import { rules } from './settings.js'

/** The settings of this process. The defaults work on a bare machine. */
export default await Env.create(new URL('../', import.meta.url), {
  NODE_ENV: Env.schema.enum.optional(['development', 'production', 'test'] as const),
  ...rules,
})
