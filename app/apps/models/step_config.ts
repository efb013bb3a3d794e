import { modelOf } from '#foundation/core/database/model_of'
import { stepConfigs } from '../tables.js'

/** One step of an app's workflow. Releases hold copies of it. */
export default class StepConfig extends modelOf(stepConfigs) {}
