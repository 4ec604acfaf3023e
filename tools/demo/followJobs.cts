import type { Service } from '../../test/mock/service.cjs';
import { agentSteps } from './agentSteps.cjs';
import { pageSteps } from './pageSteps.cjs';

const pauseMs = 100;

/**
 * Tells what the jobs of the mock server do while they do it. The returned function ends it, after what is
 * still to be told.
 */
export function followJobs(service: Service, tell: (line: string) => void): () => void {
	const looks = [agentSteps(service, tell), pageSteps(service, tell)];
	const lookAtAll = (): void => looks.forEach((look) => look());
	const timer = setInterval(lookAtAll, pauseMs);
	return () => {
		clearInterval(timer);
		lookAtAll();
	};
}
