import type { ServiceAddress, ServiceReport, ServiceTask } from '../processes/service.cts';
import { nextMessage, startProcess } from './children.cts';

/** The simulated service in a process of its own. */
export interface Service extends ServiceAddress {
	/** What it has seen since the last report. */
	report(): Promise<ServiceReport>;
	stop(): void;
}

export async function startService(task: ServiceTask): Promise<Service> {
	const child = startProcess('service', task);
	const address = await nextMessage<ServiceAddress>(child);
	return {
		...address,
		async report() {
			child.send('report');
			return await nextMessage<ServiceReport>(child);
		},
		stop: () => child.kill(),
	};
}
