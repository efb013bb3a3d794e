import { modelOf } from '#foundation/core/database/model_of'
import { distributionBuilds } from '../tables.js'

/** A build in a bucket. */
export default class DistributionBuild extends modelOf(distributionBuilds) {}
