export const command = {summary:'', usage:'token', run: async () => 1};
