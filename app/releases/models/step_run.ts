import { modelOf } from '#foundation/core/database/model_of'
import { stepRuns } from '../tables.js'

/** One attempt at a step with what was recorded about it. */
export default class StepRun extends modelOf(stepRuns) {}
