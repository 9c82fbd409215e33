import org.codelibs.opensearch.runner.OpenSearchRunner;

/** One OpenSearch node on this machine, for tests. Arguments: folder, port, plugin classes (or nothing). */
public class Server {
    public static void main(String[] arguments) {
        OpenSearchRunner runner = new OpenSearchRunner();
        runner.setMaxHttpPort(-1); // the port is ours to choose
        runner.onBuild((number, settings) -> {
            settings.put("discovery.type", "single-node");
            settings.put("network.host", "127.0.0.1");
            settings.put("http.port", arguments[1]);
            settings.put("transport.port", "0");
            settings.put("cluster.routing.allocation.disk.threshold_enabled", false);
        });
        Runtime.getRuntime().addShutdownHook(new Thread(() -> close(runner)));
        try {
            OpenSearchRunner.Configs configs = OpenSearchRunner.newConfigs();
            configs.basePath(arguments[0]).numOfNode(1).clusterName("annotarium-tests");
            if (arguments.length > 2) {
                configs.pluginTypes(arguments[2]);
            }
            runner.build(configs);
            Thread.currentThread().join();
        } catch (Throwable failure) {
            failure.printStackTrace();
            System.exit(1);
        }
    }

    private static void close(OpenSearchRunner runner) {
        try {
            runner.close();
        } catch (Exception failure) {
            failure.printStackTrace();
        }
    }
}
